import '../../../node-shim.js'
import { installVirtualEnvironment } from '../../../network/simulated/environment.js'
import { Channel } from '../../../workers/channel.js'
import { endWithParent } from '../../../workers/parent-watch.js'

endWithParent()

// before anything of libp2p is imported, which keeps clocks and random numbers
const environment = installVirtualEnvironment()
const { SimulatedHost } = await import('../../../network/simulated/simulated-host.js')
const { hostHandlers } = await import('./host-handlers.js')

const { handlers } = hostHandlers(
  () => channel,
  (setup, components) => new SimulatedHost(setup, components, environment)
)
/** @type {Channel} */
const channel = new Channel(process, handlers)

channel.call('ready')
