import '../../../node-shim.js'
import { endWithParent } from '../../../workers/parent-watch.js'
import { serveParent } from '../../../workers/serve-parent.js'

endWithParent()

const { HostileRun } = await import('./hostile/hostile-run.js')

// of who is thrown out while it sends
process.on('unhandledRejection', () => {})

serveParent(setup => new HostileRun(setup), ['prepare', 'begin', 'end', 'close'])
