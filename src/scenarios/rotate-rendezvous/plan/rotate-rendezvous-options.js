import { gateOptions } from '../../../plan/gate-options.js'
import { thresholds } from '../../../plan/threshold.js'
import { duration, rate, seconds, wholeNumber, yesOrNo } from '../../../plan/values.js'
import { CLOSED_MODEL } from '../../rendezvous/plan/conditions.js'
import { OPTIONS } from '../../rendezvous/plan/options.js'
import { rotateTable, rotatingRows } from '../../rotate/plan/rotate-table.js'
import { ROTATE_RENDEZVOUS_COMPARED, ROTATE_RENDEZVOUS_FIGURES } from '../figures.js'

/** @typedef {import('../../../plan/option.js').Option} Option */

const LOAD = 'What is sent:'

/** @type {Readonly<Record<string, Partial<Option>>>} */
const CHANGES = {
  benchmarkType: { default: 'DISCOVER' },
  registerMode: { default: 'refresh' },
  initialRegistrations: { default: 0 },
  warmup: { describe: 'load that is not counted, before the measurement' },
  nNamespaces: {
    default: 1,
    ...wholeNumber(1, 1000),
    describe: 'namespaces; each peer registers in every one of them, and discovers one at random'
  },
  duration: {
    default: '5m',
    ...duration({ min: '1s' }),
    describe: 'discover, and rotate peers, for this long'
  },
  discoverLimit: {
    default: 1000,
    describe: 'registrations asked for by a DISCOVER'
  },
  ttl: {
    default: '1m',
    ...seconds({ min: '1s', max: '72h' }),
    ofCase: true,
    describe:
      "time to live of registrations; below the specification's least of 2h our server is started with a lower --minTtl"
  },
  rate: {
    default: '30/s',
    ...rate({ max: 100_000 }),
    describe:
      'open model: DISCOVERs due from all places together, in turn; to be below what the server carries. That of an empty place is left out'
  },
  threshold: {
    ...thresholds(ROTATE_RENDEZVOUS_FIGURES),
    describe:
      'what a figure must be, such as "staleShare < 10%" or "DISCOVER.p99 < 50ms", or the exit code is 3; can be repeated. With ", abortOnFail, grace=5s" behind it, the run ends once it has failed for that long'
  },
  failOn: gateOptions(ROTATE_RENDEZVOUS_COMPARED).failOn
}

const ROTATING = {
  ...rotatingRows({
    one: 'peer',
    least: 1,
    stay: '',
    go: ', without unregistering',
    every: { default: '5s', least: '100ms' },
    down: '2s'
  }),
  refreshEvery: {
    group: LOAD,
    defaultText: 'half of --ttl',
    ...duration({ min: '100ms', max: '72h' }),
    planKey: 'refreshEveryMs',
    ofCase: true,
    describe: 'time after which a peer registers again, so that its registrations do not expire'
  },
  cookies: {
    group: LOAD,
    default: false,
    ...yesOrNo(),
    ofCase: true,
    describe:
      'each DISCOVER but the first of a peer carries the cookie of the one before: only what was registered since is asked for'
  }
}

/**
 * ROTATE_RENDEZVOUS_OPTIONS is the table of the options of rotating peers of a rendezvous server: those of the rendezvous scenario
 * with defaults of their own, and what rotates. They register and discover, at a steady rate, for a time.
 *
 * @type {Readonly<Record<string, Readonly<Option>>>}
 */
export const ROTATE_RENDEZVOUS_OPTIONS = rotateTable('rotate rendezvous', ROTATING, OPTIONS, {
  never: [CLOSED_MODEL],
  changes: CHANGES,
  left: { owner: 'the rendezvous scenario', keys: ['maxPeerRegistrations'] }
})
