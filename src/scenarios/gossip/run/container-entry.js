import '../../../node-shim.js'
import { MessagePipe } from '../../../kit/message-pipe.js'

const port = new MessagePipe({ input: process.stdin, output: process.stdout })
port.on('disconnect', () => process.exit())

const { RealHost } = await import('../../../network/real/real-host.js')
const { serveHost } = await import('./serve-host.js')

serveHost((setup, components) => new RealHost(setup, components), port)
