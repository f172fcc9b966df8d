import '../../../node-shim.js'
import { installVirtualEnvironment } from '../../../network/simulated/environment.js'
import { endWithParent } from '../../../workers/parent-watch.js'

endWithParent()

// before anything of libp2p is imported, which keeps clocks and random numbers
const environment = installVirtualEnvironment()
const { SimulatedHost } = await import('../../../network/simulated/simulated-host.js')
const { serveHost } = await import('./serve-host.js')

serveHost((setup, components) => new SimulatedHost(setup, components, environment))
