// Entry of the process in a container that holds gossip nodes. It takes calls over its standard input and output.
import '../../../kit/runtime.js'
import { MessagePipe } from '../../../kit/message-pipe.js'

const port = new MessagePipe({ input: process.stdin, output: process.stdout })
port.on('disconnect', () => process.exit())

const { RealHost } = await import('../../../network/real-host.js')
const { serveHost } = await import('./host-calls.js')

serveHost((setup, components) => new RealHost(setup, components), port)
