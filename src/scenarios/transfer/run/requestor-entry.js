import '../../../node-shim.js'
import { endWithParent } from '../../../workers/parent-watch.js'
import { serveParent } from '../../../workers/serve-parent.js'

endWithParent()

const { Requestor } = await import('./requestor.js')

serveParent(setup => new Requestor(setup), ['connect', 'fetch', 'disconnect', 'settings', 'close'])
