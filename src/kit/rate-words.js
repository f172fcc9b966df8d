import { grouped, significant } from './numbers.js'

/** rateWords writes a rate as it would be typed. @param {number} rate */
export const rateWords = rate => (Number.isInteger(rate) ? grouped(rate) : significant(rate))
