import '../../../node-shim.js'
import { endWithParent } from '../../../workers/parent-watch.js'
import { serveParent } from '../../../workers/serve-parent.js'

endWithParent()

const { PerfServer } = await import('./perf-server.js')

serveParent(setup => new PerfServer(setup), ['start', 'begin', 'count', 'settings', 'close'])
