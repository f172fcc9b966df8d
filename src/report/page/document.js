import { Html, html } from '../../kit/html.js'
import { scriptsOf } from './scripts.js'
import { STYLE } from './style.js'

/**
 * A page loads nothing, and runs nothing but the scripts that were written into it; the browser is told to hold it to that.
 *
 * @param {readonly string[]} hashes
 * @param {boolean} live - it asks its own server, and nobody else
 */
const policy = (hashes, live) =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    `script-src ${hashes.join(' ')}`,
    ...(live ? ["connect-src 'self'"] : [])
  ].join('; ')

/**
 * pageDocument puts the parts of a page into one HTML file.
 *
 * @param {{ title: string, description: string, body: (Html | null)[], live?: import('./scripts.js').Scripts }} page - `live`: its scripts, where
 *   they are told by the server that it is from
 * @returns {string}
 */
export function pageDocument({ title, description, body, live }) {
  const main = html`${body}`
  const { scripts, style } = live ?? scriptsOf(String(main))
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(
    policy(
      scripts.map(({ hash }) => hash),
      live !== undefined
    )
  )}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${style}${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
${scripts.map(({ tag }) => tag)}</body>
</html>
`)
}
