// Entry of a worker process that holds real gossip nodes on this machine. It takes calls from its parent process.
import '../../../kit/runtime.js'
import { exitWithParent } from '../../../run/parent-watch.js'

exitWithParent()

const { RealHost } = await import('../../../network/real-host.js')
const { serveHost } = await import('./host-calls.js')

serveHost((setup, components) => new RealHost(setup, components))
