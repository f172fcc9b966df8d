import '../../src/node-shim.js'
import { describe, test } from 'node:test'
import { assertInterrupted, HOW } from '../acceptance/interrupted-run.js'
import { PAIRS, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX } from '../acceptance/processes.js'

/** Those that test/acceptance leaves out. */
const PHASES = /** @type {const} */ ([
  ['SIGINT to the program', 'setup'],
  ['Ctrl-C in a terminal, to all its processes', 'connect'],
  ['Ctrl-C in a terminal, to all its processes', 'warmup'],
  ['Ctrl-C in a terminal, to all its processes', 'measure']
])

describe('an interrupted run ends with exit code 130, keeps its partial result, leaves no process', {
  ...ON_LINUX,
  ...PAIRS
}, () => {
  for (const [how, phase] of PHASES)
    test(`${how}, in the phase ${phase}`, TIMEOUT, () => assertInterrupted(phase, HOW[how]))
})
