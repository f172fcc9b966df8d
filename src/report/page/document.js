import { html } from '../../kit/html.js'
import { STYLE } from './style.js'

/** @typedef {import('../../kit/html.js').Html} Html */

/** A page loads nothing and runs nothing; the browser is told to hold it to that. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/**
 * pageDocument puts the parts of a page into one HTML file.
 *
 * @param {{ title: string, description: string, body: (Html | null)[] }} page
 * @returns {string}
 */
export const pageDocument = ({ title, description, body }) =>
  String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`)
