import '../../node-shim.js'
import { Router } from '../../network/namespaces/router.js'
import { endWithParent } from '../../workers/parent-watch.js'
import { serveParent } from '../../workers/serve-parent.js'

endWithParent()

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
