// Entry of a worker process that holds simulated gossip nodes: it replaces clocks and random numbers before libp2p is
// loaded.
import '../../../kit/runtime.js'
import { exitWithParent } from '../../../run/parent-watch.js'
import { installVirtualEnvironment } from '../../../simulator/virtual-environment.js'

exitWithParent()

// before anything of libp2p is imported, which keeps clocks and random numbers
const environment = installVirtualEnvironment()
const { SimulatedHost } = await import('../../../simulator/simulated-host.js')
const { serveHost } = await import('./host-calls.js')

serveHost((setup, components) => new SimulatedHost(setup, components, environment))
