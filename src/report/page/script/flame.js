import { drawingOf, made } from './dom.js'
import { framesOf, shortNumber, within } from './values.js'

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
export function flame({ element, zoomed }, { root = { name: '', value: 0 }, y = 'Value' }) {
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
  function show(/** @type {{ from: number, to: number }} */ view) {
    const width = view.to - view.from
    zoomed(width < 1)
    for (const [i, box] of boxes.entries()) {
      const [from, to] = [frames[i].from, frames[i].to].map(at =>
        Math.max(0, Math.min(1, (at - view.from) / width))
      )
      box.hidden = to - from < LEAST_SHARE
      box.style.left = `${100 * from}%`
      box.style.width = `calc(${100 * (to - from)}% - 1px)`
    }
  }
  const whole = { from: 0, to: 1 }
  show(whole)
  return {
    legend: categories.map(category =>
      made('span', {}, [made('i', { class: `dot ${lookOf(category)}`, 'aria-hidden': 'true' }), category])
    ),
    ...drawingOf(element, boxes, place => {
      const { name, value, self, category } = frames[place].frame
      const share = (100 * value) / (root.value || 1)
      return [
        name,
        `${y}: ${shortNumber(value)} (${shortNumber(share)} %)`,
        ...(self === undefined ? [] : [`Self: ${shortNumber(self)}`]),
        ...(category === undefined ? [] : [category])
      ].map(text => [text])
    }),
    step(place, right, up) {
      if (place === null) return 0
      const { depth, parent } = frames[place]
      if (up > 0) return Math.max(0, parent)
      // down to the widest, aside to the next at this depth
      const places = [...frames.keys()].filter(
        i => !boxes[i].hidden && (up < 0 ? frames[i].parent === place : frames[i].depth === depth)
      )
      if (up < 0) return places.sort((a, b) => frames[b].frame.value - frames[a].frame.value)[0] ?? place
      return places[within(places.indexOf(place) + right, places.length)] ?? place
    },
    press: place => show(frames[place]),
    reset: () => show(whole)
  }
}
