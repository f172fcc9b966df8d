// The browser script of report.html: it draws the plots, makes tables sortable, and highlights the current section.
import { equipTables, makeButton, makeElement } from './elements.js'
import { drawFigure } from './figure.js'

const { tables, plots } = JSON.parse(document.getElementById('_data')?.textContent ?? '{}')

/** Runs a part; an error in one part does not stop the others. @param {() => unknown} part */
function tried(part) {
  try {
    part()
  } catch (error) {
    console.error(error)
  }
}

tried(() => equipTables(tables))
for (const plot of plots) {
  const figure = document.getElementById(plot.id)
  if (figure !== null) tried(() => drawFigure(figure, plot))
}
for (const block of document.querySelectorAll('pre')) {
  const copy = makeButton(['Copy'], async () => {
    await navigator.clipboard.writeText(block.textContent ?? '')
    copy.textContent = 'Copied'
  })
  block.after(makeElement('div', { class: 'tools' }, [copy]))
}
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('.table details')) details.setAttribute('open', '')
})

// the part that is read is marked in the contents
const links = new Map(
  [...document.querySelectorAll('.contents a')].map(link => [link.getAttribute('href'), link])
)
const watch = new IntersectionObserver(
  entries => {
    for (const { target, isIntersecting } of entries)
      links.get(`#${target.id}`)?.toggleAttribute('data-seen', isIntersecting)
  },
  { rootMargin: '-10% 0px -40% 0px' }
)
for (const href of links.keys()) {
  const part = document.getElementById(String(href).slice(1))
  if (part !== null) watch.observe(part)
}
