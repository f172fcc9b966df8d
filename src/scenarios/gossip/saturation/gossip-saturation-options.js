import { numberList } from '../../../plan/number-list.js'
import { duration, rate, wholeNumber } from '../../../plan/values.js'
import { GRID, MOST_PER_SECOND, SATURATION_OPTIONS } from '../../saturation-options.js'
import { GOSSIP_OPTIONS } from '../plan/gossip-options.js'

const { search, from, most, repeats, duration: held, resume } = SATURATION_OPTIONS

/**
 * GOSSIP_SATURATION_OPTIONS are those of `saturate gossip` that are not of its runs.
 *
 * @type {Readonly<Record<string, import('../../../plan/option.js').Option>>}
 */
export const GOSSIP_SATURATION_OPTIONS = {
  rate: {
    group: GRID,
    ...numberList(
      rate({ max: MOST_PER_SECOND }),
      'must be rates per second above 0 with commas between them, such as 5/s,10/s,20/s'
    ),
    defaultText: '5/s,10/s,20/s,40/s',
    describe: 'messages per second of the whole network; every rate is run with every number of nodes'
  },
  nodes: {
    group: GRID,
    ...numberList(
      wholeNumber(2, 60_000),
      'must be whole numbers from 2 to 60,000 with commas between them, such as 20,50'
    ),
    defaultText: '20,50; 50 for a search',
    describe: `${GOSSIP_OPTIONS.nodes.describe}; with --search, one number`
  },
  search,
  from: { ...from, defaultText: '5/s', describe: 'with --search, the first rate' },
  most,
  repeats,
  duration: {
    ...held,
    default: '30s',
    describe: 'how long each load is held, in whole seconds; the source took 90s'
  },
  inTime: {
    group: held.group,
    default: '1s',
    ...duration({ min: '1ms', max: '1h' }),
    describe: 'a load is not carried when 1 % of the messages take this long to reach everyone'
  },
  resume
}
