// Entry of the process that serves the files or zeros of a transfer.
import '../../../kit/runtime.js'
import { exitWithParent } from '../../../run/parent-watch.js'
import { serveParent } from '../../../run/worker-process.js'

exitWithParent()

const { Provider } = await import('./provider.js')

serveParent(
  plan => new Provider(plan),
  [...['make', 'open', 'begin', 'end', 'expect', 'count', 'shut'], ...['most', 'settings', 'close']]
)
