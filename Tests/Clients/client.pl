# SPDX-License-Identifier: Apache-2.0
# A request by one of Perl's clients: perl client.pl LWP|Tiny URL
use strict;
my ($kind, $url) = @ARGV;
if ($kind eq 'LWP') {
    eval { require LWP::UserAgent; require LWP::Protocol::https } or exit 77;
    print $LWP::VERSION, ' ', LWP::UserAgent->new->get("$url/lwp")->decoded_content;
} else {
    require HTTP::Tiny;
    exit 77 unless HTTP::Tiny->can_ssl;
    print $HTTP::Tiny::VERSION, ' ', HTTP::Tiny->new->get("$url/tiny")->{content};
}
