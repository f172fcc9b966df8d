import { megabytes } from '../../../../kit/numbers.js'
import { NO_ANSWER } from '../../../../report/page/answer.js'
import { percentOf } from '../hot-spot-tables.js'
import { categoryBars } from '../plots/category-bars.js'

/** @param {readonly import('../../measure/hot-spots.js').CategoryShares[]} categories @returns {[string, string][]} */
const most = categories =>
  categories
    .slice(0, 3)
    .map(({ category, selfShare }) => [
      `${category[0].toUpperCase()}${category.slice(1)}`,
      `${percentOf(selfShare)} %`
    ])

/**
 * profileAnswer gives what the processes were busy with; of a run that sampled allocations alone, what allocated.
 *
 * @param {import('../../profile-types.js').ProfileResult} result
 * @returns {import('../../../../report/page/answer.js').Answer}
 */
export function profileAnswer({ outcome: { profile, allocations } }) {
  if (profile !== null) {
    const { categories, busyShare } = profile.hotSpots
    return {
      figures: [...most(categories), ['Busy', `${percentOf(busyShare)} % of the time`]],
      plots: categoryBars(categories, 'the busy time')
    }
  }
  if (allocations === undefined) return NO_ANSWER
  const { categories, bytes } = allocations
  return {
    figures: [...most(categories), ['Allocated', `${megabytes(bytes)} MB`]],
    plots: categoryBars(categories, 'what was allocated')
  }
}
