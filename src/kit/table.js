import { markdownTable } from 'markdown-table'

/**
 * @typedef {object} Table
 * @property {string[]} headings
 * @property {('l' | 'r')[]} align - of each column
 * @property {string[][]} rows
 */

/**
 * asMarkdown writes a table.
 *
 * @param {Table} table
 * @returns {string} without a line break at its end
 */
export const asMarkdown = ({ headings, align, rows }) =>
  markdownTable([headings, ...rows], { align, stringLength: text => [...text].length })
