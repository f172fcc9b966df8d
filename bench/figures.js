import { against } from './against.js'
import { clocks } from './clocks.js'
import { congestionControls } from './congestion-controls.js'
import { defaults } from './defaults.js'
import { falseAlarms } from './false-alarms.js'
import { fleet } from './fleet.js'
import { generatorLimited } from './generator-limited.js'
import { gossipCpu } from './gossip-cpu.js'
import { growth } from './growth.js'
import { hiccups } from './hiccups.js'
import { hostile } from './hostile.js'
import { independent } from './independent.js'
import { injectedDelay } from './injected-delay.js'
import { limitedBySituations } from './limited-by.js'
import { memory } from './memory.js'
import { namespaceTransfers } from './namespace-transfers.js'
import { networkFile } from './network-file.js'
import { nodes } from './nodes.js'
import { operations } from './operations.js'
import { overhead } from './overhead.js'
import { ownShare } from './own-share.js'
import { routerCapacity } from './router-capacity.js'
import { seams, upstream } from './seams.js'
import { servers } from './servers.js'
import { simulatedDelivery } from './simulated-delivery.js'
import { simulatedNetworks } from './simulated-networks.js'
import { splitSimulation } from './split-simulation.js'
import { start } from './start.js'
import { storeExpiry } from './store-expiry.js'
import { storeFloor } from './store-floor.js'
import { storeSize } from './store-size.js'
import { validation, validationCases } from './validation/validation.js'

/**
 * @typedef {object} Table
 * @property {string} title
 * @property {string[]} head
 * @property {string[][]} rows
 *
 * @typedef {object} Figure
 * @property {(options: any) => Promise<Table>} measure
 * @property {string} about - what is measured, and how long that takes
 */

/** What is measured when nothing is named. */
export const USUAL = ['memory', 'storeSize', 'operations']

/**
 * FIGURES are what there is to measure, by name.
 *
 * @type {Readonly<Record<string, Figure>>}
 */
export const FIGURES = Object.freeze({
  memory: { measure: memory, about: 'memory of the server with 200,000 registrations; half a minute' },
  storeSize: { measure: storeSize, about: 'memory of the store alone; some seconds' },
  operations: { measure: operations, about: 'what an operation costs the server; a minute' },
  against: {
    measure: against,
    about: 'against <commit>: this checkout beside another one, in turns; an hour and its npm ci'
  },
  nodes: { measure: nodes, about: 'what Node 24 costs beside this Node, in turns; 25 minutes' },
  start: { measure: start, about: 'what --version and --help cost; 10 s' },
  hostile: {
    measure: hostile,
    about: 'what hostile peers cost an honest client; an hour, or --rows frames,unread10 of it'
  },
  growth: { measure: growth, about: 'how costs grow with clients, registrations, nodes; half an hour' },
  falseAlarms: {
    measure: falseAlarms,
    about: 'how often a thing differs from itself, 20 comparisons; two hours, --piece 150 in pieces of 150 s'
  },
  limitedBy: {
    measure: limitedBySituations,
    about: 'whether a run names what limited it, in made situations; half an hour with --runs 10'
  },
  injectedDelay: { measure: injectedDelay, about: 'what a comparison finds of a known delay; 18 minutes' },
  generatorLimited: {
    measure: generatorLimited,
    about:
      'which loads of the source the load generator limits, and whether a second one carries more; 8 minutes'
  },
  independent: {
    measure: independent,
    about: 'our response times and client overhead beside those of a Rust client; 20 minutes and its build'
  },
  overhead: {
    measure: overhead,
    about: "printed client overhead beside the kernel's times of packets (tcpdump); 15 minutes with --pairs 8"
  },
  servers: {
    measure: servers,
    about: 'our server, stock and tuned, beside those in Rust and Go; 20 minutes and their builds'
  },
  seams: { measure: seams, about: 'what it costs to leave the private fields of libp2p alone; 5 minutes' },
  upstream: {
    measure: upstream,
    about: 'what our patches bring a server of js-libp2p as published; 8 minutes'
  },
  defaults: { measure: defaults, about: "what each command's defaults take of this machine; 5 minutes" },
  hiccups: { measure: hiccups, about: 'what looking for hiccups takes of a core; 10 s' },
  ownShare: { measure: ownShare, about: 'what of a gossip node is ours; 3 minutes' },
  gossipCpu: { measure: gossipCpu, about: 'what a gossip delivery costs; 12 minutes' },
  simulatedDelivery: { measure: simulatedDelivery, about: 'what a simulated delivery costs; 9 minutes' },
  simulatedNetworks: { measure: simulatedNetworks, about: 'three large simulated networks; half an hour' },
  splitSimulation: {
    measure: splitSimulation,
    about: 'simulated networks in two processes beside one; an hour with --pairs 5'
  },
  networkFile: {
    measure: networkFile,
    about: 'classes and zones of a file, between namespaces beside simulated, 10 seeds; 15 minutes'
  },
  validation: { measure: validation, about: 'the simulated network beside real TCP, 10 seeds; 10 minutes' },
  validationCases: {
    measure: validationCases,
    about: 'the same of 19 cases between namespaces; 7 hours, --only in parts'
  },
  namespaceTransfers: { measure: namespaceTransfers, about: 'real TCP over lossy links; 8 minutes' },
  routerCapacity: { measure: routerCapacity, about: 'what the router between namespaces carries; a minute' },
  congestionControls: {
    measure: congestionControls,
    about: "what the kernel's congestion controls carry beside Reno; 5 minutes"
  },
  storeFloor: {
    measure: storeFloor,
    about: 'three servers on one PostgreSQL beside the bare statements; half an hour with --pairs 5'
  },
  storeExpiry: { measure: storeExpiry, about: 'removing 100,000 registrations that expire at once; 10 s' },
  fleet: { measure: fleet, about: 'what load over 3 agents costs; 4 minutes' },
  clocks: { measure: clocks, about: 'clocks of agents beside ones that are off by a known time; 6 minutes' }
})
