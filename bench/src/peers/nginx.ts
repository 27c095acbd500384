import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes a configuration and returns the command that starts nginx from `SLUICE_NGINX` or from the PATH.
 * @param target URL that receives the requests
 * @returns undefined if nginx is not installed
 */
export async function nginxCommand(
  dir: string,
  port: number,
  target: string,
): Promise<{ command: string; args: string[] } | undefined> {
  const command = process.env.SLUICE_NGINX ?? 'nginx';
  if (spawnSync(command, ['-v']).status !== 0) return undefined;
  const file = path.join(dir, 'nginx.conf');
  await writeFile(file, configOf(dir, port, target));
  return { command, args: ['-p', dir, '-c', file, '-e', path.join(dir, 'nginx.log')] };
}

function configOf(dir: string, port: number, target: string): string {
  return `daemon off; worker_processes 1; pid ${dir}/nginx.pid;
events { worker_connections 2048; }
http {
  access_log off;
  client_body_temp_path ${dir}/nginx-body; proxy_temp_path ${dir}/nginx-proxy; fastcgi_temp_path ${dir}/nginx-f;
  uwsgi_temp_path ${dir}/nginx-u; scgi_temp_path ${dir}/nginx-s;
  client_max_body_size 64m; keepalive_requests 1000000;
  upstream vendor { server ${new URL(target).host}; keepalive 512; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://vendor; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffering off; proxy_request_buffering off;
    }
  }
}
`;
}
