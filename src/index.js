import './node-shim.js'

export { RendezvousError } from './client/errors.js'
export { createClientNode } from './client/node.js'
export { loadRegistrants } from './client/registrants.js'
export { rendezvousClient } from './client/rendezvous-client.js'
export { PlanError } from './library/given.js'
export {
  planCapacity,
  planCluster,
  planValidation,
  runCapacity,
  runCluster,
  runValidation,
  STUDIES
} from './library/moved.js'
export { compare, makePlan, readResult } from './library/plans.js'
export { run, runPlan } from './library/run.js'
export { makeStudy } from './library/studies.js'
export { makeNetwork as makeSimulatedNetwork } from './network/simulated/networks.js'
export { SimulatedHost } from './network/simulated/simulated-host.js'
export { VirtualTime } from './network/simulated/virtual-time.js'
export { graphMeasures } from './network/topology/graph-measures.js'
export { makeTopology } from './network/topology/make-topology.js'
export { parseTopologyFile } from './network/topology/parse-topology-file.js'
export { MessageType, PROTOCOL, Status, statusName } from './protocol/status.js'
export { findScenario, SCENARIOS } from './scenarios/index.js'
export { rendezvousServer } from './server/rendezvous-server.js'
export { planAb } from './studies/comparison/plan/plan-ab.js'
export { runComparison as runAb } from './studies/comparison/run-comparison.js'
export { planMatrix } from './studies/matrix/plan/plan-matrix.js'
export { runMatrix } from './studies/matrix/run-matrix.js'
export { planQa } from './studies/qa/plan/plan-qa.js'
export { runQa } from './studies/qa/run-qa.js'
export { rebuild } from './studies/rebuild.js'
export { planSaturate } from './studies/saturation/plan/plan-saturate.js'
export { runSaturate } from './studies/saturation/run-saturate.js'
export { runStudy } from './studies/study.js'
