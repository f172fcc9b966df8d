import { commands } from './commands.js'
import { contents } from './contents.js'
import { flames } from './flames.js'
import { marks } from './marks.js'
import { plots } from './plots.js'
import { tables } from './tables.js'

// what can be asked is there first: a part that fails takes nothing from the others
for (const part of [contents, tables, commands, flames, plots, marks])
  try {
    part()
  } catch (error) {
    console.error(error)
  }
