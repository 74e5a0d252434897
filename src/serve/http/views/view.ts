import type { Fields } from '../../fields.js';
import type { View } from '../served.js';

/** Says what a view is, with the types of its own fields inside. */
export const view = <F extends Fields>(definition: View<F>): View<F> => definition;
