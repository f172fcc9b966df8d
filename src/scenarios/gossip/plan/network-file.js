/**
 * A network as its file describes it: zones, classes of nodes, topics, parameters of gossipsub, and a script.
 *
 * @typedef {import('../../../load/placement.js').Selector} Selector
 * @typedef {import('../../../network/links/jitter.js').JitterSpec} JitterSpec
 * @typedef {import('../../../plan/ranges.js').Range} Range
 *
 * @typedef {object} NetworkFile - what `--networkFile` says, validated, in the units of the names. A plan holds all of it, so that it
 *   runs where the file is not
 * @property {string} path
 * @property {Zones | null} zones - null: nodes are nowhere
 * @property {readonly NodeClass[]} classes - none: all nodes are alike
 * @property {readonly TopicSpec[] | null} topics - null: flags say them
 * @property {Readonly<Record<string, unknown>>} gossipsub - by the library's names; they are in `plan.gossipsub` too
 * @property {readonly ScriptStep[]} script - ascending by time
 * @property {readonly { class?: string, zone?: string }[] | null} placement - by node; null: by shares and the seed
 *
 * @typedef {object} Zones
 * @property {readonly string[]} names
 * @property {readonly (readonly number[])[]} latencyMs - one way, from the zone of the row to that of the column
 * @property {JitterSpec | null} jitter - null: as --linkJitter says
 * @property {readonly (readonly number[])[] | null} lossShare - from zone to zone; null: as --linkLoss says
 * @property {readonly number[] | null} shares - of the nodes, for classes that do not say theirs; null: equal ones
 *
 * @typedef {object} NodeClass
 * @property {string} name
 * @property {number} share - of the nodes; those of all classes add up to 1
 * @property {number | null} upBytesPerSecond - null: without a limit, or as --upBandwidth says
 * @property {number | null} downBytesPerSecond
 * @property {readonly number[] | null} zones - shares, by zone
 * @property {Readonly<{ minMs: number, maxMs: number }> | null} validation - how long the application takes, drawn for each message
 * @property {'any' | 'outbound'} dial - outbound: it accepts no connections
 *
 * @typedef {object} TopicSpec
 * @property {string} name
 * @property {number} count - above 1 they are `name.0`, `name.1` …, each as the others
 * @property {Range} messageBytes
 * @property {number | null} ratePerSecond - of each; null: only the script publishes on it
 * @property {Selector | null} publishers - a random one of these for each message; null: of its subscribers
 * @property {Selector | null} subscribers - null: all nodes
 * @property {Readonly<Record<string, number | boolean>> | null} score - by the library's names
 *
 * @typedef {object} ScriptStep - what some nodes do at a time
 * @property {number} atMs - since publishing began
 * @property {Selector} who
 * @property {'publish' | 'subscribe' | 'unsubscribe' | 'leave' | 'partition'} action
 * @property {string} [topic] - of the first three
 * @property {number} [bytes] - of publish: each of them publishes one such message
 * @property {number} [forMs] - then it is undone; of `partition` and `leave` always, absent elsewhere: for good
 */

/**
 * topicsOf gives each topic by itself, in the order of the file: the places of topics in a plan.
 *
 * @param {Pick<NetworkFile, 'topics'>} file
 * @returns {{ name: string, spec: TopicSpec }[]}
 */
export const topicsOf = ({ topics }) =>
  (topics ?? []).flatMap(spec =>
    spec.count === 1
      ? [{ name: spec.name, spec }]
      : Array.from({ length: spec.count }, (_, i) => ({ name: `${spec.name}.${i}`, spec }))
  )
