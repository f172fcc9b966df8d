import '../../../node-shim.js'
import { Channel } from '../../../workers/channel.js'
import { endWithParent } from '../../../workers/parent-watch.js'

endWithParent()

const { RealHost } = await import('../../../network/real/real-host.js')
const { hostHandlers } = await import('./host-handlers.js')

const { handlers, host } = hostHandlers(
  () => channel,
  (setup, components) => new RealHost(setup, components)
)
/** @type {Channel} */
const channel = new Channel(process, { ...handlers, rotate: rotating => host().rotate(rotating) })

channel.call('ready')
