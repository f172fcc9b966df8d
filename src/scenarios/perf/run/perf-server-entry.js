import '../../../node-shim.js'
import { Channel } from '../../../workers/channel.js'
import { endWithParent } from '../../../workers/parent-watch.js'

endWithParent()

const { PerfServer } = await import('./perf-server.js')

/** @type {import('./perf-server.js').PerfServer} */
let server

const channel = new Channel(process, {
  setup: plan => {
    server = new PerfServer(plan)
  },
  start: () => server.start(),
  begin: expectedBytes => server.begin(expectedBytes),
  count: () => server.count(),
  close: () => server?.close()
})

channel.call('ready')
