import { createHash } from 'node:crypto'
import { html } from '../../src/kit/html.js'

/**
 * loadRenderer gives a renderer whose pictures have the titles of what is to be drawn, and differ where that does.
 *
 * @type {typeof import('../../src/kit/plots/render.js').loadRenderer}
 */
export const loadRenderer = async () => async (spec, look) => {
  const text = JSON.stringify([spec, look])
  const titles = [...text.matchAll(/"title":"([^"]*)"/g)].map(([, title]) => title).join(' ')
  const drawn = createHash('sha256').update(text).digest('hex')
  return String(
    html`<svg viewBox="0 0 ${look.width} ${look.height}"><text>${titles}</text><text>${drawn}</text></svg>`
  )
}
