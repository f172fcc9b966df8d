import '../../src/kit/runtime.js'
import { appendFileSync } from 'node:fs'
import { serveParent } from '../../src/run/worker-process.js'

const TAKES_MS = 300

// it notes when it begins to be set up, and when it is
serveParent(
  ({ log }) => {
    appendFileSync(log, '+')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TAKES_MS)
    appendFileSync(log, '-')
    return {}
  },
  [],
  { close: () => {} }
)
