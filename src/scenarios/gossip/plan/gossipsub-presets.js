/** More than any message has: no IDONTWANT is ever sent. */
const NEVER = 1_000_000_000

/** As projects give a decay: the factor of each tick that leaves a hundredth after so many. @param {number} ticks */
const decayOver = ticks => 0.01 ** (1 / ticks)

/** Lodestar's weight: a peer that is penalised 10 times an epoch of 32 slots ends at gossipThreshold. */
const ETH2_DECAY = decayOver(10 * 32)
const ETH2_EXCESS = 10 / 32 / (1 - ETH2_DECAY) - 6

/**
 * PRESETS are named sets of parameters, by the library's names, as projects publish them. Penalties for peers behind one address
 * (IPColocationFactor…) are of none: the nodes of a run often share one.
 */
export const PRESETS = {
  default: {},
  /**
   * What the gossipsub v1.0 of the 95-node study did: no flood publishing, no IDONTWANT, gossip to D_lazy peers however many there are (a share
   * of them is the adaptive gossip of v1.1); scores, which it did not have either, get no weight.
   */
  'study-2019': { floodPublish: false, idontwantMinDataSize: NEVER, gossipFactor: 0 },
  eth2: {
    // ethereum/consensus-specs, specs/phase0/p2p-interface.md at a30fdec: "Gossipsub Parameters"; seen_ttl is two epochs of 32 slots of 12 s
    ...{ D: 8, Dlo: 6, Dhi: 12, Dlazy: 6, heartbeatInterval: 700, fanoutTTL: 60_000 },
    ...{ mcacheLength: 6, mcacheGossip: 3, seenTTL: 768_000 },
    // ChainSafe/lodestar, packages/beacon-node/src/network/gossip/gossipsub.ts; idontwantMinDataSize since its pull request 7077
    ...{ gossipsubIWantFollowupMs: 12_000, idontwantMinDataSize: 16_829 },
    ...{ floodPublish: true, batchPublish: true, maxOutboundBufferSize: 2 ** 24 },
    // ChainSafe/lodestar, scoringParameters.ts at 0174336, which takes them from Lighthouse, gossipsub_scoring_parameters.rs at b0ac346
    ...{ gossipThreshold: -4000, publishThreshold: -8000, graylistThreshold: -16_000 },
    ...{ acceptPXThreshold: 100, opportunisticGraftThreshold: 5 },
    ...{ topicScoreCap: 53.75, appSpecificWeight: 1 },
    ...{ behaviourPenaltyWeight: -4000 / ETH2_EXCESS ** 2, behaviourPenaltyThreshold: 6 },
    ...{
      behaviourPenaltyDecay: ETH2_DECAY,
      decayInterval: 12_000,
      decayToZero: 0.01,
      retainScore: 38_400_000
    }
  },
  'filecoin-f3': {
    // filecoin-project/go-f3, cmd/f3/pubsub.go at c92e6d4
    ...{ D: 8, Dscore: 6, Dout: 3, Dlo: 6, Dhi: 12, Dlazy: 12, mcacheLength: 10 },
    ...{ gossipFactor: 0.1, gossipsubIWantFollowupMs: 5000 },
    // cmd/f3/observer.go: WithPeerExchange, WithFloodPublish
    ...{ doPX: true, floodPublish: true },
    // internal/psutil/psutil.go at 67e2c06: PubsubPeerScoreParams, PubsubPeerScoreThresholds
    ...{ gossipThreshold: -500, publishThreshold: -1000, graylistThreshold: -2500 },
    ...{ acceptPXThreshold: 1000, opportunisticGraftThreshold: 3.5 },
    ...{ topicScoreCap: 0, appSpecificWeight: 1 },
    ...{ behaviourPenaltyWeight: -10, behaviourPenaltyThreshold: 6, behaviourPenaltyDecay: decayOver(3600) },
    ...{ decayInterval: 1000, decayToZero: 0.01, retainScore: 21_600_000 }
  },
  optimism: {
    // ethereum-optimism/optimism, op-node/p2p/gossip.go at 05ec8aa: BuildGlobalGossipParams, NewGossipSub
    ...{ D: 8, Dlo: 6, Dhi: 12, Dlazy: 6, heartbeatInterval: 500, fanoutTTL: 24_000 },
    ...{ mcacheLength: 12, mcacheGossip: 3, seenTTL: 65_000, doPX: false },
    // op-node/flags/p2p_flags.go at 048ba7a: p2p.gossip.mesh.floodpublish is off unless asked for
    floodPublish: false,
    // op-node/p2p/peer_params.go at 48c949f: LightPeerScoreParams with blocks of 2 s, NewPeerScoreThresholds
    ...{ gossipThreshold: -10, publishThreshold: -40, graylistThreshold: -40 },
    ...{ acceptPXThreshold: 20, opportunisticGraftThreshold: 0.05 },
    ...{ topicScoreCap: 34, appSpecificWeight: 1 },
    ...{ behaviourPenaltyWeight: -16, behaviourPenaltyThreshold: 6, behaviourPenaltyDecay: decayOver(60) },
    ...{ decayInterval: 2000, decayToZero: 0.01, retainScore: 1_200_000 }
  },
  waku: {
    // waku-org/nwaku, waku/waku_relay/protocol.nim at 642bc6f: GossipsubParameters
    ...{ D: 6, Dlo: 4, Dhi: 8, Dscore: 6, Dout: 3, Dlazy: 6, gossipFactor: 0.25, heartbeatInterval: 1000 },
    ...{ mcacheLength: 6, mcacheGossip: 3, fanoutTTL: 60_000, seenTTL: 120_000 },
    ...{ pruneBackoff: 60_000, unsubcribeBackoff: 5000, floodPublish: true },
    ...{ gossipThreshold: -100, publishThreshold: -1000, graylistThreshold: -10_000 },
    // 0 is no cap: go-waku, waku/v2/protocol/relay/config.go at 277721a, with the same scores
    ...{ opportunisticGraftThreshold: 0, topicScoreCap: 0, appSpecificWeight: 0 },
    ...{ behaviourPenaltyWeight: -10, behaviourPenaltyDecay: 0.986 },
    ...{ decayInterval: 12_000, decayToZero: 0.01, retainScore: 600_000 }
  }
}

/** Mesh deliveries that are not penalised, in projects that leave them out. */
const NO_MESH_PENALTY = { meshMessageDeliveriesWeight: 0, meshFailurePenaltyWeight: 0 }

/**
 * PRESET_TOPIC_SCORES are the score parameters of presets that are of every topic of their project.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, number>>>>}
 */
export const PRESET_TOPIC_SCORES = {
  // go-f3, internal/psutil/psutil.go at 67e2c06: PubsubTopicScoreParams
  'filecoin-f3': {
    ...{ topicWeight: 0.1, timeInMeshWeight: 0.0002778, timeInMeshQuantum: 1000, timeInMeshCap: 1 },
    ...{ firstMessageDeliveriesWeight: 0.5, firstMessageDeliveriesDecay: decayOver(600) },
    ...{ firstMessageDeliveriesCap: 100, ...NO_MESH_PENALTY },
    ...{ invalidMessageDeliveriesWeight: -1000, invalidMessageDeliveriesDecay: decayOver(3600) }
  },
  // nwaku, waku/waku_relay/protocol.nim at 642bc6f: TopicParameters
  waku: {
    ...{ topicWeight: 1, timeInMeshWeight: 0.01, timeInMeshQuantum: 1000, timeInMeshCap: 10 },
    ...{ firstMessageDeliveriesWeight: 1, firstMessageDeliveriesDecay: 0.5, firstMessageDeliveriesCap: 10 },
    ...{ ...NO_MESH_PENALTY, invalidMessageDeliveriesWeight: -100, invalidMessageDeliveriesDecay: 0.5 }
  }
}
