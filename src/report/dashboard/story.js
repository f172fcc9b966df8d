import { thinned } from './script/thinned.js'

/**
 * @typedef {import('./script/seen.js').Line} Line
 *
 * @typedef {{ begin: Line[], course: Line[], sample: Line[], end: Line[] }} RunStory
 */

/** As many moments of a run are told to who comes later. */
const MOST_MOMENTS = 2000

/** Plan and figures are much, and not shown once a run of a study has ended. @param {Line} line @returns {Line} */
const short = ({ plan, units, figures, atLeast, doubtful, ...line }) => line

/** Story keeps what a page is told that is opened later. It stays short however long runs take and however many there are. */
export class Story {
  /** @type {Map<string, RunStory>} */
  #runs = new Map()
  /** @type {Line[]} */
  #begin = []
  /** @type {Line[]} */
  #end = []

  /** @param {Line} line */
  add(line) {
    if (line.type === 'study') {
      if (line.state === 'begin') this.#begin = [line]
      else this.#end = [line]
      return
    }
    const story = this.#runs.get(line.run) ?? { begin: [], course: [], sample: [], end: [] }
    this.#runs.set(line.run, story)
    if (line.type === 'start') story.begin = [line]
    else if (line.type === 'sample') story.sample = [line]
    else if (line.type === 'end') this.#ended(story, line)
    else {
      story.course.push(line)
      story.course = thinnedCourse(story.course)
    }
  }

  /** @param {RunStory} story @param {Line} line */
  #ended(story, line) {
    if (line.label === undefined) story.end = [line]
    else Object.assign(story, { begin: story.begin.map(short), course: [], sample: [], end: [short(line)] })
  }

  /** lines are in the order in which they are to be taken in. @returns {Line[]} */
  lines() {
    const runs = [...this.#runs.values()].flatMap(({ begin, course, sample, end }) => [
      ...begin,
      ...course,
      ...sample,
      ...end
    ])
    return [...this.#begin, ...runs, ...this.#end]
  }
}

/** Phases and warnings are few, and stay. @param {Line[]} lines @returns {Line[]} */
function thinnedCourse(lines) {
  if (lines.length <= MOST_MOMENTS) return lines
  const moments = lines.filter(({ type }) => type === 'progress')
  const kept = new Set(thinned(moments, MOST_MOMENTS))
  return lines.filter(line => line.type !== 'progress' || kept.has(line))
}
