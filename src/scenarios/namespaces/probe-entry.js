import '../../node-shim.js'
import { LinkProbe } from '../../network/namespaces/link-probe.js'
import { endWithParent } from '../../workers/parent-watch.js'
import { serveParent } from '../../workers/serve-parent.js'

endWithParent()

/** @type {LinkProbe} */
let probe
serveParent(
  setup => {
    probe = new LinkProbe(setup)
    return probe
  },
  ['listen', 'connect', 'roundTrips', 'trickle', 'burst', 'hangUp', 'watchArrivals', 'arrivals', 'counts'],
  { close: () => probe.close() }
)
