import '../../../node-shim.js'
import { endWithParent } from '../../../workers/parent-watch.js'
import { serveParent } from '../../../workers/serve-parent.js'

endWithParent()

const { Provider } = await import('./provider.js')

serveParent(
  plan => new Provider(plan),
  [...['make', 'open', 'begin', 'end', 'expect', 'count', 'shut'], ...['most', 'settings', 'close']]
)
