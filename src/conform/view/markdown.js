import { byGroup } from '../../kit/lists.js'
import { asMarkdown, literal } from '../../kit/table.js'
import { tableOfGroup } from '../document.js'
import { SPECIFICATION } from '../specification.js'
import { countsOf, leftText } from './text.js'

/** @param {import('../examine.js').Outcome[]} outcomes */
function table(outcomes) {
  const { rows, ...head } = tableOfGroup(outcomes)
  return asMarkdown({ ...head, rows: rows.map(row => row.map(literal)) })
}

/** markdownOf is an examination as markdown. @param {import('../document.js').Document} document */
export const markdownOf = ({ address, version, startedAt, outcomes, left }) =>
  `${[
    `# Conformance of ${address}`,
    `libp2p-loadtest ${version}, ${startedAt}, against [${SPECIFICATION.title}](${SPECIFICATION.url}).`,
    `${countsOf(outcomes)}. ${leftText(left)}`,
    ...byGroup(outcomes).flatMap(([title, group]) => [`## ${title}`, table(group)])
  ].join('\n\n')}\n`
