import '../../../node-shim.js'
import { Channel } from '../../../workers/channel.js'
import { endWithParent } from '../../../workers/parent-watch.js'

endWithParent()

const { Requestor } = await import('./requestor.js')

/** @type {import('./requestor.js').Requestor} */
let requestor

const channel = new Channel(process, {
  setup: setup => {
    requestor = new Requestor(setup)
  },
  connect: (way, address, settings) => requestor.connect(way, address, settings),
  fetch: (files, name) => requestor.fetch(files, name),
  disconnect: () => requestor.disconnect(),
  close: () => requestor.close()
})

channel.call('ready')
