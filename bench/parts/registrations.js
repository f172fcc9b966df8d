export {
  ADDRESS,
  namespaceOf,
  registrations
} from '../../src/scenarios/rendezvous/hostile/large-registrations.js'
