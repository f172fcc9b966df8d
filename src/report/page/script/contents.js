/** contents marks which part of the page is read. */
export function contents() {
  const links = new Map(
    [.../** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('.contents a'))].map(link => [
      link.hash.slice(1),
      link
    ])
  )
  const seen = new Set()
  const watch = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) seen.add(target.id)
        else seen.delete(target.id)
      const current = [...links.keys()].find(id => seen.has(id))
      for (const [id, link] of links)
        if (id === current) link.setAttribute('aria-current', 'true')
        else link.removeAttribute('aria-current')
      // the strip alone is moved: the page stays where it is
      const strip = document.querySelector('.contents')
      const link = links.get(current ?? '')
      if (strip !== null && link !== undefined)
        strip.scrollLeft = link.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2
    },
    { rootMargin: '-15% 0px -60% 0px' }
  )
  for (const id of links.keys()) {
    const part = document.getElementById(id)
    if (part !== null) watch.observe(part)
  }
}
