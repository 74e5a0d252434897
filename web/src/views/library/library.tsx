export function Library() {
  return null;
}
