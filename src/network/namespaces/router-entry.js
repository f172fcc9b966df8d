// Entry of the process of the router, which carries packets between network namespaces.
import '../../kit/runtime.js'
import { exitWithParent } from '../../run/parent-watch.js'
import { serveParent } from '../../run/worker-process.js'
import { Router } from './router.js'

exitWithParent()

/** @type {Router} */
let router
serveParent(
  (setup, { say }) => {
    router = new Router(setup, {
      onUsage: usage => say('usage', usage),
      onDied: error => say('died', error.message)
    })
    return router
  },
  ['open', 'begin', 'relink', 'ask', 'cut'],
  { close: () => router.close() }
)
