# Honest: awk, sed, a function and a here-document.
# task: sum_sh
add() { awk '{ print $1 + $2 }'; }
read -r line
add <<END | sed 's/^ *//'
$line
END
