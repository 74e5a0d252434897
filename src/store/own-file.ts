import { constants } from 'node:fs';

/**
 * How a file of a library is opened for reading: a link, which may lead anywhere, is not followed, and a pipe in its
 * place does not make us wait. Windows has neither flag, and there neither comes with a cloned repository.
 */
export const OWN_FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
