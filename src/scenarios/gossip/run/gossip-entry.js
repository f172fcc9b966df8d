import '../../../node-shim.js'
import { Channel } from '../../../workers/channel.js'

// before anything that takes time: a worker whose parent is gone has nobody to work for
process.on('disconnect', () => process.exit())

const { RealHost } = await import('../../../network/real/real-host.js')
const { hostHandlers } = await import('./host-handlers.js')

const { handlers, host } = hostHandlers(
  () => channel,
  (setup, components) => new RealHost(setup, components)
)
/** @type {Channel} */
const channel = new Channel(process, { ...handlers, rotate: rotating => host().rotate(rotating) })

channel.call('ready')
