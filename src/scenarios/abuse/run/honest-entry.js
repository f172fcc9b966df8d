import '../../../node-shim.js'
import { endWithParent } from '../../../workers/parent-watch.js'
import { serveParent } from '../../../workers/serve-parent.js'

endWithParent()

const { HonestClients } = await import('./honest-clients.js')

serveParent(setup => new HonestClients(setup), ['start', 'measure', 'close'])
