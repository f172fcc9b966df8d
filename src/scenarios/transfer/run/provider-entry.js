import '../../../node-shim.js'
import { endWithParent } from '../../../workers/parent-watch.js'
import { serveParent } from '../../../workers/serve-parent.js'

endWithParent()

const { Provider } = await import('./provider.js')

/** @type {import('./provider.js').Provider} */
let provider
/** @type {() => import('./provider.js').Provision} */
let ended

serveParent(
  plan => {
    provider = new Provider(plan)
    return provider
  },
  ['make', 'open', 'shut', 'most', 'settings', 'close'],
  {
    begin: () => {
      ended = provider.begin()
    },
    end: () => ended()
  }
)
