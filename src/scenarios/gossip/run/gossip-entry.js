import '../../../node-shim.js'
import { endWithParent } from '../../../workers/parent-watch.js'

endWithParent()

const { RealHost } = await import('../../../network/real/real-host.js')
const { serveHost } = await import('./serve-host.js')

serveHost((setup, components) => new RealHost(setup, components))
