import '../../../node-shim.js'
import { Channel } from '../../../workers/channel.js'
import { endWithParent } from '../../../workers/parent-watch.js'

endWithParent()

const { Provider } = await import('./provider.js')

/** @type {import('./provider.js').Provider} */
let provider
/** @type {() => import('./provider.js').Provision} */
let ended

const channel = new Channel(process, {
  setup: plan => {
    provider = new Provider(plan)
  },
  make: () => provider.make(),
  open: (way, settings) => provider.open(way, settings),
  begin: () => {
    ended = provider.begin()
  },
  end: () => ended(),
  shut: () => provider.shut(),
  most: () => provider.most(),
  close: () => provider.close()
})

channel.call('ready')
