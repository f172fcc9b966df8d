import { made } from './dom.js'
import { framesOf, shortNumber } from './values.js'

const ROW = 19

/** Narrower frames are not drawn, as a share of the width. */
const LEAST_SHARE = 0.0008

/**
 * flame draws frames of a flame graph, the root above. A frame that is pressed takes the whole width.
 *
 * @param {import('./figure.js').Room} room
 * @param {import('../../description/description.js').Plot} plot
 * @returns {import('./figure.js').Drawing}
 */
export function flame({ element, zoomed }, { root = { name: '', value: 0 }, y = '' }) {
  const frames = framesOf(root)
  const categories = [...new Set(frames.flatMap(({ frame }) => frame.category ?? []))]
  const lookOf = (/** @type {string | undefined} */ category) =>
    category === undefined ? 'w0' : `w${(categories.indexOf(category) % 6) + 1}`
  const boxes = frames.map(({ frame, depth }) => {
    const box = made('div', { class: lookOf(frame.category) }, [frame.name])
    box.style.top = `${depth * ROW}px`
    return box
  })
  const inner = made('div', { class: 'frames' }, boxes)
  inner.style.height = `${(Math.max(...frames.map(({ depth }) => depth)) + 1) * ROW}px`
  element.append(inner)
  let view = { from: 0, to: 1 }
  let marked = -1
  const shares = (/** @type {number} */ i) =>
    [frames[i].from, frames[i].to].map(at =>
      Math.max(0, Math.min(1, (at - view.from) / (view.to - view.from)))
    )
  const isShown = (/** @type {number} */ i) => {
    const [from, to] = shares(i)
    return to - from >= LEAST_SHARE
  }
  function show(/** @type {{ from: number, to: number }} */ next) {
    view = next
    zoomed(view.to - view.from < 1)
    for (const [i, box] of boxes.entries()) {
      const [from, to] = shares(i)
      box.hidden = !isShown(i)
      box.style.left = `${100 * from}%`
      box.style.width = `calc(${100 * (to - from)}% - 1px)`
    }
  }
  show(view)
  return {
    legend: categories.map(category =>
      made('span', {}, [made('i', { class: `dot ${lookOf(category)}`, 'aria-hidden': 'true' }), category])
    ),
    find(left, top) {
      const [at, depth] = [
        view.from + (left / element.clientWidth) * (view.to - view.from),
        Math.floor(top / ROW)
      ]
      const place = frames.findIndex(
        (frame, i) => frame.depth === depth && frame.from <= at && frame.to > at && isShown(i)
      )
      return place < 0 ? null : place
    },
    step(place, right, up) {
      if (place === null) return 0
      const { depth, parent } = frames[place]
      const places = frames.flatMap((frame, i) =>
        isShown(i) && (right === 0 ? frame.parent === place : frame.depth === depth) ? [i] : []
      )
      if (up > 0) return Math.max(0, parent)
      // down to the widest, aside to the next at this depth
      if (up < 0)
        return places.reduce(
          (a, b) => (frames[b].frame.value > frames[a].frame.value ? b : a),
          places[0] ?? place
        )
      return places[Math.max(0, Math.min(places.length - 1, places.indexOf(place) + right))] ?? place
    },
    point(place) {
      boxes[marked]?.classList.remove('marked')
      marked = place ?? -1
      if (place === null) return null
      boxes[place].classList.add('marked')
      const { frame, depth } = frames[place]
      const share = (100 * frame.value) / (root.value || 1)
      const [from, to] = shares(place)
      return {
        ...{ left: (element.clientWidth * (from + to)) / 2, top: depth * ROW },
        lines: [
          [frame.name],
          [`${y === '' ? 'Value' : y}: ${shortNumber(frame.value)} (${shortNumber(share)} %)`],
          ...(frame.self === undefined
            ? []
            : [/** @type {[string]} */ ([`Self: ${shortNumber(frame.self)}`])]),
          ...(frame.category === undefined ? [] : [/** @type {[string]} */ ([frame.category])])
        ]
      }
    },
    press: place => show(frames[place]),
    reset: () => show({ from: 0, to: 1 }),
    // its colours are those of the style sheet
    redraw() {}
  }
}
