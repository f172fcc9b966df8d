import { significant } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'
import { DESCRIBED_MESSAGES } from './described.js'

/** GOSSIP_FACE is how trials of messages are called and shown. @type {import('../../saturation.js').Face} */
export const GOSSIP_FACE = {
  ...DESCRIBED_MESSAGES,
  who: 'The network',
  what: 'messages',
  rateName: 'Sustainable rate',
  sizeSign: 'n',
  one: 'node',
  many: 'nodes',
  ratesFlag: '--rate',
  loadWords: load => `${significant(load)} deliveries/s`,
  rateWords: perSecond => `${rateWords(perSecond)} messages/s`,
  loadHeading: 'Deliveries due /s',
  timeName: 'dissemination time',
  throughputName: 'deliveries per second',
  throughputOf: ({ deliveries, durationMs }) => (deliveries * 1000) / durationMs,
  tailOf: ({ tailMs }) => tailMs,
  tailWords: 'of fewer than 100 messages the slowest',
  notes: () => [
    'Generator and nodes share the processes: this is what this machine carries, not what the network would.'
  ],
  boundStatement: 'Generator-bound: the figure is a lower bound, of this machine and not of the network.'
}

/** SIMULATED_FACE is how those in a simulated network are. @type {import('../../saturation.js').Face} */
export const SIMULATED_FACE = {
  ...GOSSIP_FACE,
  who: 'The simulated network',
  rateName: 'Sustainable rate of the simulated network',
  notes: () => [
    'Simulated: bandwidth and processing that are used up are those of the model. The speed of this machine has no part in it.'
  ],
  unsteady: 'this network does not answer the same from seed to seed. Try a longer --duration',
  boundStatement: 'The figure is a lower bound.'
}
