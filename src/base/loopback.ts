/**
 * True when an address or the host of a URL cannot leave this machine: 127.0.0.0/8, `::1` (with or
 * without brackets, or as IPv4 inside IPv6) and the name `localhost`. No name is looked up.
 */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  return bare === "localhost" || bare === "::1" || loopbackIpv4.test(bare) || ipv4In6.test(bare);
}

const loopbackIpv4 = /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;
const ipv4In6 = /^::ffff:(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|7f[\da-f]{2}:[\da-f]{1,4})$/;
