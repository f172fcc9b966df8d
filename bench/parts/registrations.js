export { ADDRESS, namespaceOf, registrations } from '../../src/scenarios/abuse/run/held.js'
