import type { Fields } from '../../fields.js';
import type { View } from '../served.js';
import { documentView, nodeView, pdfPageView, textView } from './document.js';
import { documentsView, overviewView, readAgainView } from './library.js';
import { mapView, passagesOnMapView, pointView } from './map.js';
import { chunkTextView, searchTextView, similarityView } from './playground.js';
import { qualityView } from './quality.js';
import { watchView } from './watch.js';
import { whoView } from './who.js';

/** Its input and answer have been checked against its own fields by whoever calls. */
const any = <F extends Fields>(view: View<F>): View<Fields> => view as unknown as View<Fields>;

/** Everything the page asks for beside the operations. */
export const views: readonly View<Fields>[] = [
  any(whoView),
  any(overviewView),
  any(documentsView),
  any(readAgainView),
  any(watchView),
  any(documentView),
  any(textView),
  any(nodeView),
  any(pdfPageView),
  any(chunkTextView),
  any(similarityView),
  any(searchTextView),
  any(mapView),
  any(pointView),
  any(passagesOnMapView),
  any(qualityView),
];
