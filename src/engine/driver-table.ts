import { jsonDriver } from '../drivers/json/driver.js';
import { lancedbDriver } from '../drivers/lancedb/driver.js';
import { postgresDriver } from '../drivers/postgres/driver.js';
import { sqliteDriver } from '../drivers/sqlite/driver.js';
import type { Driver } from '../store/driver.js';
import { memoryDriver } from '../store/memory/driver.js';

/** Who may keep a library, by name: the one table of drivers. A new driver is one line here. */
export const DRIVERS: ReadonlyMap<string, Driver> = new Map(
  [sqliteDriver, jsonDriver, lancedbDriver, postgresDriver, memoryDriver].map((driver) => [
    driver.name,
    driver,
  ]),
);

/** For the help of `--store`. */
export const STORE_HELP = `Who keeps a new library: ${[...DRIVERS.values()].map(({ usage }) => usage).join(', ')}`;
