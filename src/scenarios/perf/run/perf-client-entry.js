import '../../../node-shim.js'
import { endWithParent } from '../../../workers/parent-watch.js'
import { serveParent } from '../../../workers/serve-parent.js'

endWithParent()

const { PerfClient } = await import('./perf-client.js')

serveParent(
  setup => new PerfClient(setup),
  ['open', 'move', 'shut', 'exchanges', 'handshakes', 'settings', 'close']
)
