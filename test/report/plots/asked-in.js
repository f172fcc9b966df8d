/**
 * askedIn counts the marks of a picture that people can ask.
 *
 * @param {string} svg
 */
export const askedIn = svg =>
  [...svg.matchAll(/<g class="\w+ asked"[^>]*>([\s\S]*?)<\/g>/g)].reduce(
    (sum, [, marks]) => sum + (marks.match(/<(path|rect|line)\b/g) ?? []).length,
    0
  )
