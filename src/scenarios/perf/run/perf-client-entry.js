import '../../../node-shim.js'
import { Channel } from '../../../workers/channel.js'
import { endWithParent } from '../../../workers/parent-watch.js'

endWithParent()

const { PerfClient } = await import('./perf-client.js')

/** @type {import('./perf-client.js').PerfClient} */
let client

const channel = new Channel(process, {
  setup: setup => {
    client = new PerfClient(setup)
  },
  transfer: asked => client.transfer(asked),
  exchanges: asked => client.exchanges(asked),
  handshakes: asked => client.handshakes(asked),
  close: () => client?.close()
})

channel.call('ready')
