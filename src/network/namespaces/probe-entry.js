// Entry of the process that measures links from inside the network namespace of a node.
import '../../kit/runtime.js'
import { exitWithParent } from '../../run/parent-watch.js'
import { serveParent } from '../../run/worker-process.js'
import { LinkProbe } from './link-probe.js'

exitWithParent()

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
